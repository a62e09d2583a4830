import type { Trade } from '../../../books/statistics/trade-tracker.ts';
import { exact, ZERO } from '../../../platform/decimal.ts';
import { type BacktestSummary, FILL_GRADES, type FillGrade } from '../result.ts';

/** Counts fills by grade, and the results of trades by the worst grade of their fills. */
export class FillGradeCounter {
  readonly #fills = new Map<FillGrade, number>();
  readonly #profits = new Map<FillGrade, ReturnType<typeof exact>>();
  /** By holding: the worst grade of a fill since it was flat. */
  readonly #least = new Map<string, FillGrade>();

  get fills(): ReadonlyMap<FillGrade, number> {
    return this.#fills;
  }

  fill(holding: string, grade: FillGrade): void {
    this.#fills.set(grade, (this.#fills.get(grade) ?? 0) + 1);
    const least = this.#least.get(holding) ?? grade;
    const isLess = FILL_GRADES.indexOf(grade) > FILL_GRADES.indexOf(least);
    this.#least.set(holding, isLess ? grade : least);
  }

  end({ holding, pnl }: Pick<Trade, 'holding' | 'pnl'>): void {
    const grade = this.#least.get(holding);
    if (grade === undefined) return;
    this.#least.delete(holding);
    this.#profits.set(grade, (this.#profits.get(grade) ?? ZERO).plus(exact(pnl)));
  }

  rows(): BacktestSummary['fillGrades'] {
    return FILL_GRADES.filter((grade) => this.#fills.has(grade)).map((grade) => ({
      grade,
      fills: this.#fills.get(grade) ?? 0,
      profit: (this.#profits.get(grade) ?? ZERO).toFixed(),
    }));
  }
}
