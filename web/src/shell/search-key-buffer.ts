/** The text with a typed key at its end; null for a key that types nothing. */
export function typedAfter(text: string, key: string): string | null {
  if (key === 'Backspace') return text.slice(0, -1);
  // There is no result yet that Enter could open, and it must not open a row of the page.
  if (key === 'Enter') return text;
  return [...key].length === 1 ? text + key : null;
}

type Sink = (text: string) => void;
type Key = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  preventDefault: () => void;
  stopImmediatePropagation: () => void;
};

/** Keys typed between the call of the search and the focus of its input: they wait for it, and act on nothing else. */
export class SearchKeyBuffer {
  #text = '';
  #isOn = false;
  #sink: Sink | null = null;

  start(): void {
    this.#text = '';
    this.#isOn = true;
    this.#sink?.('');
  }

  stop(): void {
    this.#isOn = false;
  }

  /** Passes on the text typed so far, and all text typed from now on. */
  deliverTo(sink: Sink): () => void {
    this.#sink = sink;
    if (this.#isOn) sink(this.#text);
    return () => {
      this.#sink = null;
    };
  }

  /** Takes a key; the first key that reaches the search's input ends this. */
  take(event: Key, isInSearch: boolean): void {
    if (!this.#isOn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isInSearch || event.key === 'Escape') {
      this.stop();
      return;
    }
    const text = typedAfter(this.#text, event.key);
    if (text === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#text = text;
    this.#sink?.(text);
  }
}

/** The page's only instance. */
export const searchKeyBuffer = new SearchKeyBuffer();
