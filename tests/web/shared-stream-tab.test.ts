import { describe, expect, test } from 'vitest';
import { type Attempt, type LiveState, SILENCE_MS } from '../../web/src/live/live-connection.ts';
import { LEADER_LOST_MS, type Message, SharedStreamTab } from '../../web/src/live/shared-stream-tab.ts';
import { TestClock } from './test-clock.ts';

type Ask = { tab: string; granted: () => void; lost: () => void };

/** The tabs of one browser: they receive each message at once, and one of them has the lock. */
class TestBrowser {
  readonly clock = new TestClock();
  readonly attempts: (Attempt<string> & { tab: string; isOpen: boolean })[] = [];
  readonly #tabs = new Map<string, SharedStreamTab<string>>();
  #holder: Ask | null = null;
  #waiting: Ask[] = [];

  open(name: string, isSeen = true) {
    const events: string[] = [];
    const states: LiveState[] = [];
    const counts = { back: 0 };
    const post = (message: Message<string>) => {
      for (const [other, tab] of this.#tabs) if (other !== name) tab.take(message);
    };
    const tab = new SharedStreamTab<string>(
      {
        clock: this.clock,
        random: () => 0,
        tab: name,
        post,
        isSeen: () => isSeen,
        connect: (attempt) => {
          const opened = { ...attempt, tab: name, isOpen: true };
          this.attempts.push(opened);
          return () => {
            opened.isOpen = false;
          };
        },
        lead: ({ seize, granted, lost }) => this.#ask({ tab: name, granted, lost }, seize),
      },
      {
        onEvent: (event) => events.push(event),
        onState: ({ state }) => states.push(state),
        onBack: () => {
          counts.back += 1;
        },
      },
    );
    this.#tabs.set(name, tab);
    tab.start();
    return {
      tab,
      events,
      counts,
      state: () => states.at(-1) ?? 'connecting',
      close: () => {
        tab.stop();
        this.#tabs.delete(name);
      },
      /** The browser no longer runs the page, which keeps its lock. */
      freeze: () => this.#tabs.delete(name),
      thaw: () => this.#tabs.set(name, tab),
    };
  }

  /** The open stream; there is never more than one. */
  stream() {
    const open = this.attempts.filter(({ isOpen }) => isOpen);
    const [stream] = open;
    if (!stream || open.length > 1) throw new Error(`${open.length} streams are open.`);
    return stream;
  }

  wait(ms: number): void {
    for (let passed = 0; passed < ms; passed += 2_000) {
      this.clock.pass(2_000);
      for (const tab of [...this.#tabs.values()]) tab.check();
    }
  }

  #ask(ask: Ask, seize: boolean): () => void {
    if (seize) {
      const robbed = this.#holder;
      this.#holder = ask;
      ask.granted();
      robbed?.lost();
    } else if (this.#holder === null) {
      this.#holder = ask;
      ask.granted();
    } else {
      this.#waiting.push(ask);
    }
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== ask);
      if (this.#holder !== ask) return;
      this.#holder = this.#waiting.shift() ?? null;
      this.#holder?.granted();
    };
  }
}

describe('the tabs of a browser', () => {
  test('share one stream, and all receive the same events', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(1, 'a');
    expect([one.events, two.events]).toEqual([['a'], ['a']]);
    expect([one.state(), two.state()]).toEqual(['live', 'live']);
  });

  test('a new tab knows the state of the connection at once', () => {
    const browser = new TestBrowser();
    browser.open('one');
    browser.stream().heard(1, 'a');
    expect(browser.open('two').state()).toBe('live');
  });

  test('a new tab does not take a later time for the server’s last message', () => {
    const browser = new TestBrowser();
    browser.open('one');
    browser.stream().heard(1, 'a');
    browser.clock.pass(SILENCE_MS - 1_000);
    const two = browser.open('two');
    expect(two.state()).toBe('live');
    browser.wait(2_000);
    expect(two.state()).toBe('stale');
  });

  test.each(['completed', 'broken'] as const)(
    'all know when the stream is %s and does not come back',
    (how) => {
      const browser = new TestBrowser();
      const [one, two] = [browser.open('one'), browser.open('two')];
      browser.stream().heard(1, 'a');
      browser.stream().ended(how);
      browser.stream().ended('broken');
      expect([one.state(), two.state()]).toEqual(['reconnecting', 'reconnecting']);
      browser.clock.pass(1_000);
      browser.stream().heard(2, 'b');
      expect([one.state(), two.state()]).toEqual(['live', 'live']);
      expect([one.counts.back, two.counts.back]).toEqual([1, 1]);
    },
  );

  test('all know when the server falls silent', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(1, 'a');
    browser.wait(SILENCE_MS + 2_000);
    expect([one.state(), two.state()]).toEqual(['stale', 'stale']);
    browser.wait(120_000);
    expect([one.state(), two.state()]).toEqual(['stale', 'stale']);
    expect(browser.stream().tab).toBe('one');
  });

  test('all are signed out together', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(1, 'a');
    browser.stream().ended('signed-out');
    expect([one.state(), two.state()]).toEqual(['signed-out', 'signed-out']);
  });

  test('when the leader closes, the next tab continues where it stopped, and no tab reports a loss', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(5, 'a');
    one.close();
    expect(browser.stream()).toMatchObject({ tab: 'two', lastEventId: 5 });
    expect(two.state()).toBe('live');
    browser.stream().heard(6, 'b');
    expect(two.counts.back).toBe(0);
  });

  test('a successor that hears nothing is not live for long', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(5, 'a');
    one.close();
    browser.wait(SILENCE_MS + 2_000);
    expect(two.state()).toBe('stale');
  });

  test('a visible tab takes over from a leader that the browser froze', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(5, 'a');
    one.freeze();
    browser.wait(LEADER_LOST_MS + 4_000);
    expect(browser.stream()).toMatchObject({ tab: 'two', lastEventId: 5 });
    browser.stream().heard(6, 'b');
    expect(two.state()).toBe('live');
    one.thaw();
    one.tab.wake();
    browser.stream().heard(7, 'c');
    expect([one.state(), one.events.at(-1)]).toEqual(['live', 'c']);
  });

  test('a hidden tab does not take over, and says that it is stale', () => {
    const browser = new TestBrowser();
    const one = browser.open('one');
    const two = browser.open('two', false);
    browser.stream().heard(5, 'a');
    one.freeze();
    browser.wait(LEADER_LOST_MS * 4);
    expect(two.state()).toBe('stale');
    expect(browser.stream().tab).toBe('one');
  });

  test('the stream has the topics of all tabs, and is reopened when they change', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    one.tab.show('x');
    two.tab.show('y');
    expect(browser.stream().topics).toEqual(['x', 'y']);
    two.tab.show(null);
    expect(browser.stream().topics).toEqual(['x']);
  });

  test('the topic of a silent tab is forgotten', () => {
    const browser = new TestBrowser();
    const [one, two] = [browser.open('one'), browser.open('two')];
    browser.stream().heard(1, 'a');
    two.tab.show('y');
    two.freeze();
    browser.wait(100_000);
    one.tab.show('x');
    expect(browser.stream().topics).toEqual(['x']);
  });
});
