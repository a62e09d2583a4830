/** Figures beside a benchmark as a textbook has them: loops over two lists of daily returns of one length. */
export function textbookBenchmark(own: readonly number[], market: readonly number[], riskFree: number) {
  const n = own.length;
  let [ownSum, marketSum] = [0, 0];
  for (let i = 0; i < n; i++) {
    ownSum += own[i] as number;
    marketSum += market[i] as number;
  }
  let [ownSquares, marketSquares, products, gapSquares] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [r, m] = [(own[i] as number) - ownSum / n, (market[i] as number) - marketSum / n];
    ownSquares += r * r;
    marketSquares += m * m;
    products += r * m;
    gapSquares += (r - m) * (r - m);
  }
  const beta = products / marketSquares;
  const error = Math.sqrt((365 * gapSquares) / (n - 1));
  let [worth, up, upMarket, down, downMarket] = [1, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [r, m] = [own[i] as number, market[i] as number];
    worth *= 1 + m;
    if (m > 0) [up, upMarket] = [up + r, upMarket + m];
    if (m < 0) [down, downMarket] = [down + r, downMarket + m];
  }
  return {
    totalReturn: worth - 1,
    alpha: 365 * (ownSum / n - riskFree - beta * (marketSum / n - riskFree)),
    beta,
    correlation: products / Math.sqrt(ownSquares * marketSquares),
    trackingError: error,
    informationRatio: (365 * (ownSum - marketSum)) / n / error,
    upCapture: up / upMarket,
    downCapture: down / downMarket,
  };
}
