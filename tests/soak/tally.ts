/** Counts of requests and answers, over all accounts. */
export class Tally {
  readonly #statuses = new Map<string, number>();
  readonly wrong: string[] = [];
  requests = 0;
  events = 0;

  /** Records one answer; an answer outside `fine`, other than 503 with Retry-After, is wrong. */
  answered(
    what: string,
    { status, text, fine }: { status: number; text: string; fine: readonly number[] },
  ): void {
    this.requests += 1;
    const line = `${what} ${status}`;
    if (!fine.includes(status)) {
      this.#statuses.set(line, (this.#statuses.get(line) ?? 0) + 1);
      this.fail(`${line}: ${text.slice(0, 300)}`);
    }
  }

  fail(line: string): void {
    this.wrong.push(`${new Date().toISOString()} ${line}`);
  }

  /** The number of each unexpected refusal. */
  refusals(): Record<string, number> {
    return Object.fromEntries(this.#statuses);
  }
}
