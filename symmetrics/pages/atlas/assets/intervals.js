/* Values and intervals of metrics at one table.  The metrics are functions that were generated from their formulas; what
   is here is the delta method on the scale of the range, as symmetrics/numeric/intervals computes it. */
"use strict";
(function (scope) {
  let constants = null;
  const metrics = [];

  scope.receiveConstants = function (told) { constants = told; };

  scope.receiveMetric = function (told, value, standardError) {
    metrics.push(Object.assign({}, told, { value: value, standardError: standardError }));
  };

  scope.metricsOfAtlas = () => metrics;
  scope.levelsOfAtlas = () => Object.keys(constants.quantiles);

  /** The slope of the scale on which the error of a value is closest to normal. */
  function slope(low, high, value) {
    if (low !== null && high !== null) {
      const share = Math.min(Math.max((value - low) / (high - low), constants.nearest), 1 - constants.nearest);
      return 1 / (share * (1 - share) * (high - low));
    }
    if (low !== null) return 1 / Math.max(value - low, constants.smallest);
    if (high !== null) return 1 / Math.max(high - value, constants.smallest);
    return 1;
  }

  /** What lies a reach away on that scale, to both sides. */
  function ends(low, high, value, reach) {
    const growth = Math.exp(reach);
    if (low !== null && high !== null) {
      const width = high - low;
      const left = Math.max(value - low, constants.nearest * width);
      const right = Math.max(high - value, constants.nearest * width);
      return [low + width * left / (left + right * growth), high - width * right / (right + left * growth)];
    }
    if (low !== null) {
      const gap = Math.max(value - low, constants.smallest);
      return [low + gap / growth, low + gap * growth];
    }
    if (high !== null) {
      const gap = Math.max(high - value, constants.smallest);
      return [high - gap * growth, high - gap / growth];
    }
    return [value - reach, value + reach];
  }

  /** The larger of two numbers, or the smaller one; of a number and no number, the number. */
  const larger = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b));
  const smaller = (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));

  /** The value of a metric at a table, between the ends of its interval: [low, estimate, high]. */
  scope.calculate = function (metric, cells, level) {
    const least = metric.low === null ? -Infinity : metric.low;
    const most = metric.high === null ? Infinity : metric.high;
    const estimate = Math.min(Math.max(metric.value(...cells), least), most);
    const moved = cells.map((cell) => cell + constants.added);
    const middle = metric.value(...moved);
    const reach = constants.quantiles[level] * metric.standardError(...moved) * slope(metric.low, metric.high, middle);
    let [low, high] = ends(metric.low, metric.high, middle, reach);
    low = smaller(Math.min(larger(low, least), most), estimate);
    high = larger(Math.max(smaller(high, most), least), estimate);
    return [low, estimate, low > high ? low : high];
  };
})(typeof window === "undefined" ? globalThis : window);
