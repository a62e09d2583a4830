import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { servedReasons, servedTexts } from '../../tools/messages/served-texts.ts';
import { bareTextsIn, earlyMessagesIn, messagesIn, namesIn, textsIn } from '../../web/extract-messages.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import { ruleWords } from '../../web/src/format/rule-words.ts';
import GERMAN from '../../web/src/language/de.json' with { type: 'json' };
import {
  formatParts,
  LANGUAGES,
  type Language,
  msg,
  pickLanguage,
  setLanguage,
  t,
  translateReason,
  translateServed,
} from '../../web/src/language/language.ts';
import { setFormatLocales } from '../../web/src/language/locale.ts';
import REASONS from '../../web/src/language/reasons/de.json' with { type: 'json' };
import SERVED from '../../web/src/language/served/de.json' with { type: 'json' };
import { findTranslation, parseServerSentences } from '../../web/src/language/server-sentences.ts';

const WEB = path.join(import.meta.dirname, '../../web/src');
const sources = globSync('**/*.{ts,tsx}', { cwd: WEB }).map((file) => ({
  file,
  source: readFileSync(path.join(WEB, file), 'utf8'),
}));
const said = sources.flatMap(({ file, source }) =>
  messagesIn(file, source).map((message) => ({ ...message, at: `${file}:${message.line}` })),
);
const german: Readonly<Record<string, string>> = GERMAN;
const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

test('the service’s texts say strategy in English, but for names in code', () => {
  expect(
    servedTexts()
      .map(translateServed)
      .filter((text) => /blueprint(?![.\w]*`)/i.test(text)),
  ).toEqual([]);
  expect(translateServed('Blueprints of this blueprint, unless `blueprint.said` is off.')).toBe(
    'Strategies of this strategy, unless `blueprint.said` is off.',
  );
});

describe('the catalog', () => {
  test('has every message of the console, in order, and no other: `npm run messages` has been run', () => {
    expect(said.length).toBeGreaterThan(0);
    expect(Object.keys(german)).toEqual([...new Set(said.map(({ key }) => key))].sort());
  });

  test('every message is translated', () => {
    expect(Object.keys(german).filter((key) => german[key] === '')).toEqual([]);
  });

  test('a translation has the placeholders of its message', () => {
    const different = said.filter(
      ({ key, text }) => String(namesIn(text)) !== String(namesIn(german[key] ?? '')),
    );
    expect(different.map(({ at, key }) => `${at}: ${key} | ${german[key]}`)).toEqual([]);
  });

  test('every placeholder of a message gets a value', () => {
    const unlike = said.filter(
      ({ text, given }) => given !== null && String(given.toSorted()) !== String(namesIn(text)),
    );
    expect(unlike.map(({ at, text, given }) => `${at}: ${text} | ${given}`)).toEqual([]);
  });

  test('no source says a message while it loads, before the language is known', () => {
    expect(sources.flatMap(({ file, source }) => earlyMessagesIn(file, source))).toEqual([]);
  });
});

describe('the service’s texts about steps, rules and notifications', () => {
  test('are in their catalog, and nothing else is', () => {
    expect(Object.keys(SERVED)).toEqual(servedTexts());
    expect(Object.values(SERVED)).not.toContain('');
  });

  test('are translated into the console’s language, and identifiers are not', () => {
    const answer = { types: describeCatalogue(), notes: ['note'] } as unknown as Parameters<
      typeof catalogueOf
    >[0];
    const english = catalogueOf(answer).types.get('crypto.price');
    setLanguage('de', SERVED);
    const type = catalogueOf(answer).types.get('crypto.price');
    setLanguage('en', {});
    expect(english).toEqual(describeCatalogue().find(({ type: name }) => name === 'crypto.price'));
    expect(type).toMatchObject({ type: 'crypto.price', title: 'Krypto-Preis' });
    expect(JSON.stringify(type)).toContain('Krypto-Symbol, wie der Handelsplatz es schreibt.');
    expect(type?.outputs.map(({ name }) => name)).toEqual(english?.outputs.map(({ name }) => name));
  });
});

describe('the reason of a refusal', () => {
  const ROOT = path.join(import.meta.dirname, '../..');
  const placesOf = (sentence: string): string =>
    sentence.replaceAll(/\{\w*\}/g, '{}').replaceAll(/(?:\{\})+/g, '{}');
  const namesOf = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

  const german = parseServerSentences(REASONS);

  beforeEach(() => setLanguage('de', SERVED, (text) => findTranslation(german, text)));
  afterEach(() => setLanguage('en', {}));

  test('each translated sentence is one of the service, with the same placeholders', () => {
    const ours = new Set(
      globSync('{engine,routers,server,venues,db}/**/*.ts', { cwd: ROOT }).flatMap((file) =>
        textsIn(file, readFileSync(path.join(ROOT, file), 'utf8')).map(placesOf),
      ),
    );
    const known = Object.entries(REASONS);
    expect(known.map(([sentence]) => sentence).filter((sentence) => !ours.has(placesOf(sentence)))).toEqual(
      [],
    );
    expect(
      known.filter(
        ([sentence, german]) => !namesOf(german).every((name) => namesOf(sentence).includes(name)),
      ),
    ).toEqual([]);
    expect(known.filter(([, german]) => german === '')).toEqual([]);
  });

  test('is German for every rule and every error that has one sentence, with its values', () => {
    const sentences = servedReasons('100', '5025.19');
    for (const sentence of sentences) {
      expect(translateReason(sentence)).not.toBe(sentence);
      for (const value of sentence.match(/[\d.]+\d/g) ?? [])
        expect(translateReason(sentence)).toContain(value);
    }
  });

  test('has the titles of the rules that refused orders in a backtest', () => {
    expect(
      translateReason('144 of 1,241 orders were refused: pause after a loss 140, orders a minute 4.'),
    ).toBe('144 von 1,241 Orders wurden abgelehnt: Pause nach einem Verlust 140, Orders pro Minute 4.');
  });

  test('has the rule’s title and the user’s number format, also in a sentence within a sentence', () => {
    const words = ruleWords([{ name: 'maxOrderSize', title: 'Größte Order', unit: 'USD' }]);
    const denied = 'maxOrderSize is 100 USD, this order is 5025.19 USD.';
    const inGerman = 'Größte Order ist $100.00, diese Order ist $5,025.19.';
    expect(words.reason(denied)).toBe(inGerman);
    expect(words.reason(`risk_rule: ${denied}`)).toBe(inGerman);
    expect(words.reason(`${denied} Order 0190-a has the whole receipt.`)).toBe(
      `${inGerman} Der ganze Beleg steht bei Order 0190-a.`,
    );
    expect(translateReason('The market is paused.')).toBe('Der Markt ist pausiert.');
  });

  test('a text by a user or a venue stays as it is, and so does an untranslated sentence', () => {
    expect(
      translateReason('“ask {limit} $&” would have 11 tags of at most 10. Take one off first.'),
    ).toContain('„ask {limit} $&“ hätte 11');
    for (const text of ['Something new happened.', '', 'constructor', 'x'.repeat(100_000)])
      expect(translateReason(text)).toBe(text);
    const long = `The market is ${'a '.repeat(50_000)}.`;
    expect(translateReason(long)).toBe(long);
  });

  test('is English where no other language was chosen', () => {
    setLanguage('en', {});
    expect(translateReason('The market is paused.')).toBe('The market is paused.');
  });
});

describe('in another language', () => {
  afterEach(() => {
    setLanguage('en', {});
    setFormatLocales([]);
  });

  const COUNT = 'Stop {count, plural, one {# order} other {# orders}} of {name}';

  test('a message is translated, with that language’s plural and the user’s number format', () => {
    expect(t(COUNT, { count: 1, name: 'A' })).toBe('Stop 1 order of A');
    expect(t(COUNT, { count: 1_200, name: 'A' })).toBe('Stop 1,200 orders of A');
    setLanguage('de', { [COUNT]: '{name}: {count, plural, one {# Order} other {# Orders}} stoppen' });
    setFormatLocales(['de-DE']);
    expect(t(COUNT, { count: 1, name: 'A' })).toBe('A: 1 Order stoppen');
    expect(t(COUNT, { count: 1_200, name: 'A' })).toBe('A: 1.200 Orders stoppen');
  });

  test('a constant is in the current language; a message missing from the catalog is in English', () => {
    const word = msg('Open');
    setLanguage('de', { Open: 'Öffnen', 'Open (a state)': 'Offen' });
    expect(t(word)).toBe('Öffnen');
    expect(t('Open', undefined, 'a state')).toBe('Offen');
    expect(t('Close')).toBe('Close');
  });

  test('a user’s text is shown as it is: it is no message, no placeholder and no tag', () => {
    const hostile = '<b>{name}</b> \\u0041 # {count, plural, other {#}}';
    expect(t('Stop {name}', { name: hostile })).toBe(`Stop ${hostile}`);
    const parts = formatParts<string>('Type <b>{name}</b>', { name: hostile, b: (inside) => `[${inside}]` });
    expect(parts).toBe(`Type [${hostile}]`);
  });

  test('syntax that the console does not know is an error, not half a text', () => {
    for (const unknown of ['{at, date, short}', '{count, plural, other {# orders}', '<b>Stop', '{at}}', '{}'])
      expect(() => t(unknown, { at: 0, count: 1 })).toThrow(SyntaxError);
  });

  test.each(LANGUAGE_NAMES)('every message in %s is what the ICU library makes of it', (language) => {
    const unlike = Object.entries(german).flatMap(([key, translated]) => {
      const text = language === 'de' ? translated : (said.find((each) => each.key === key)?.text ?? '');
      return [0, 1, 2, 1_234.5, 'sell', '<b>{a}</b>'].flatMap((value) => {
        const values = Object.fromEntries(
          namesIn(text).map((name) => [
            name,
            text.includes(`<${name}>`) ? (inside: unknown) => [{ inside }] : value,
          ]),
        );
        setLanguage(language, {});
        setFormatLocales([language]);
        const [ours, theirs] = [
          formatParts<unknown>(text, values),
          new IntlMessageFormat(text, language).format(values),
        ];
        return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text, ours, theirs }];
      });
    });
    expect(unlike).toEqual([]);
  });

  test('the language is the first of the browser’s that the console is written in, English where none is', () => {
    expect(pickLanguage(['fr-CH', 'de-CH', 'en'])).toBe('de');
    expect(pickLanguage(['en-GB', 'de'])).toBe('en');
    for (const none of [[], ['fr'], [''], ['constructor'], ['toString']])
      expect(pickLanguage(none)).toBe('en');
  });
});

describe('the text of a page', () => {
  test('is in the catalog: no source has a bare text', () => {
    const bare = sources.flatMap(({ file, source }) => bareTextsIn(file, source));
    expect(bare).toEqual([]);
  });
});
