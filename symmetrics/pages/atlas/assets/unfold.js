/* What an address points to is unfolded, and so is what is around it. */
"use strict";
(function () {
  function unfold() {
    const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    if (!target) return;
    const within = target.querySelector("details");
    if (within && within.parentElement === target) within.open = true;
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  unfold();
})();
