/** Collects what is wrong with a drawing: all of it, up to a bound that no honest drawing reaches. */
import type { Issue, Severity } from '../types.ts';

export const ISSUES_MAX = 300;

/** Where an issue is: the node it belongs to and the place in the drawing. */
export type Place = {
  readonly nodeId: string | null;
  readonly path: string;
};

export class Issues {
  readonly #found: Issue[] = [];
  #more = false;
  #errors = 0;

  error(place: Place, code: string, message: string): void {
    this.#add(place, code, 'error', message);
  }

  warning(place: Place, code: string, message: string): void {
    this.#add(place, code, 'warning', message);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether there are more than will be listed: looking for further ones is of no use. */
  get isFull(): boolean {
    return this.#more;
  }

  /** In the order found; past the bound, one issue that says that there are more. */
  list(): readonly Issue[] {
    if (!this.#more) return this.#found;
    const message = 'There are more issues than these. Mend these first.';
    return [...this.#found, { nodeId: null, path: '', code: 'more_issues', severity: 'error', message }];
  }

  #add({ nodeId, path }: Place, code: string, severity: Severity, message: string): void {
    if (severity === 'error') this.#errors++;
    if (this.#found.length >= ISSUES_MAX) this.#more = true;
    else this.#found.push({ nodeId, path, code, severity, message });
  }
}

/** JSON Pointer (RFC 6901). */
export function pointer(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
