/** The backtest of a template, with money in USD. */
export type TemplateBacktest = {
  from: string;
  to: string;
  coins: readonly string[];
  equity: readonly number[];
  buyAndHold: number;
  maxExposure: number;
  filled: number;
};

/** Money in USD. */
export type TemplateResult = {
  /** The most that was held at once. */
  most: number;
  profit: number;
  /** Profit of holding `most` of the coins over the same days. */
  holding: number;
};

/**
 * Returns a template's profit, beside that of holding its coins with the same money. A share of the whole account would flatter it: a template
 * holds a hundredth of that, and the coins would be held with all of it.
 */
export function resultOf({
  equity: [cash = 0, ...rest],
  maxExposure,
  buyAndHold,
}: TemplateBacktest): TemplateResult {
  const most = maxExposure * cash;
  return { most, profit: (rest.at(-1) ?? cash) - cash, holding: buyAndHold * most };
}

/** Returns the profit beyond holding, per dollar held: compares templates that hold different sums. */
export function edgeOf(of: TemplateBacktest): number {
  const { most, profit, holding } = resultOf(of);
  return most > 0 ? (profit - holding) / most : 0;
}

const DAY_MS = 86_400_000;

export const ordersADay = ({ filled, from, to }: TemplateBacktest): number =>
  (filled * DAY_MS) / (Date.parse(to) - Date.parse(from));

/** Returns the market of the backtests: their first and last day, and how each coin moved, 0.02 is 2 %. */
export function marketOf(all: readonly TemplateBacktest[]): {
  from: string;
  to: string;
  moved: ReadonlyMap<string, number>;
} | null {
  const [first] = all;
  if (!first) return null;
  return {
    from: all.reduce((least, { from }) => (from < least ? from : least), first.from),
    to: all.reduce((most, { to }) => (to > most ? to : most), first.to),
    moved: new Map(
      all.flatMap(({ coins: [coin, ...others], buyAndHold }) =>
        coin && others.length === 0 ? [[coin, buyAndHold] as const] : [],
      ),
    ),
  };
}
