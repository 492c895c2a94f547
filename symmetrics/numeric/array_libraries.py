"""Arrays of PyTorch, CuPy, JAX and other libraries of the array API standard, and how NumPy sees them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.tools.errors import InputError

_SILENT: Final = frozenset({"cupy", "torch"})
"""Libraries whose arrays do not say themselves that they follow the standard."""
_PROCESSOR: Final = 1
"""What DLPack calls the memory of the processor."""


def is_foreign(value: object) -> bool:
    """Whether something is an array of another library than NumPy.

    >>> is_foreign([1, 2]), is_foreign(np.ones(2))
    (False, False)
    """
    kind = type(value)
    if isinstance(value, np.ndarray | np.generic) or hasattr(kind, "todense"):
        return False
    return hasattr(kind, "__array_namespace__") or kind.__module__.partition(".")[0] in _SILENT


def is_on_processor(array: Any, name: str) -> bool:
    """Whether an array of another library lies where NumPy can read it.

    :raises InputError: if it has no values yet, as within a function that is compiled, or is watched for gradients
    """
    if getattr(array, "requires_grad", False):
        raise InputError(f"{name} requires a gradient, and gradients do not go through a metric; pass {name}.detach()")
    try:
        return bool(array.__dlpack_device__()[0] == _PROCESSOR)
    except Exception:  # what stands behind an array is code of others
        raise InputError(
            f"{name} has no values yet, as inside of jax.jit; call the metric outside of the compiled function"
        ) from None


def on_host(array: Any, name: str) -> NDArray[np.generic]:
    """Return an array of another library as one of NumPy, in the same memory if that is the processor's.

    :raises InputError: on a type of numbers that NumPy does not have
    :raises InputError: without array-api-compat, if the array lies on an accelerator
    """
    try:
        if is_on_processor(array, name):
            return np.from_dlpack(array)
        fetch = getattr(array, "get", None) or getattr(array, "cpu", None)  # of CuPy, of PyTorch; JAX does it unasked
        return np.asarray(array if fetch is None else fetch())
    except (BufferError, RuntimeError, TypeError, ValueError):
        raise InputError(
            f"{name}, of the type {array.dtype}, cannot be read by NumPy; pass a dense array of float64"
        ) from None


def as_array(values: Any, name: str) -> NDArray[np.generic]:
    """Return what NumPy, or another array library, can make an array of, as an array of NumPy."""
    return on_host(values, name) if is_foreign(values) else np.asarray(values)


def same_kind(values: Any, array: Any) -> Any:
    """Return values of NumPy as an array of the library that another array is of.

    :raises InputError: where that library has no float64, as JAX does not before it is told to
    """
    name = type(array).__module__.partition(".")[0]
    library: Any = array.__array_namespace__() if hasattr(array, "__array_namespace__") else sys.modules[name]
    converted = library.asarray(np.asarray(values))
    require_double(library, converted)
    return converted


def require_double(library: Any, array: Any) -> None:
    """Raise unless an array holds float64."""
    if array.dtype != library.float64:
        raise InputError(
            f"values are float64, and this array library gives {array.dtype}; of JAX call "
            "jax.config.update('jax_enable_x64', True) first, or pass arrays of NumPy"
        )


def compatible(name: str) -> ModuleType:
    """Return array-api-compat, by which all libraries speak the same language.

    :raises InputError: if it is not installed
    """
    try:
        import array_api_compat
    except ImportError:
        raise InputError(
            f"{name} lies on an accelerator, which needs array-api-compat: pip install 'symmetrics[arrays]'"
        ) from None
    return array_api_compat
