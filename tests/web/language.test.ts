import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { describeCatalogue } from '../../engine/graph/nodes/catalogue.ts';
import { OWNED } from '../../engine/risk/owned.ts';
import { RULES } from '../../engine/risk/rules/catalogue.ts';
import { bareTextsIn, earlyMessagesIn, messagesIn, namesIn } from '../../web/messages.ts';
import { catalogueOf } from '../../web/src/editor/drawing/model.ts';
import GERMAN from '../../web/src/language/de.json' with { type: 'json' };
import { languageAmong, msg, rich, speak, t } from '../../web/src/language/language.ts';
import { writeAs } from '../../web/src/language/locale.ts';
import SERVED from '../../web/src/language/served/de.json' with { type: 'json' };

const WEB = path.join(import.meta.dirname, '../../web/src');
const sources = globSync('**/*.{ts,tsx}', { cwd: WEB }).map((file) => ({
  file,
  source: readFileSync(path.join(WEB, file), 'utf8'),
}));
const said = sources.flatMap(({ file, source }) =>
  messagesIn(file, source).map((message) => ({ ...message, at: `${file}:${message.line}` })),
);
const german: Readonly<Record<string, string>> = GERMAN;

describe('the catalog', () => {
  test('every message of the console is there, in order, and no other: `npm run messages` has been run', () => {
    expect(said.length).toBeGreaterThan(0);
    expect(Object.keys(german)).toEqual([...new Set(said.map(({ key }) => key))].sort());
  });

  test('every message is translated', () => {
    expect(Object.keys(german).filter((key) => german[key] === '')).toEqual([]);
  });

  test('a translation is filled with what its message is filled with', () => {
    const different = said.filter(
      ({ key, text }) => String(namesIn(text)) !== String(namesIn(german[key] ?? '')),
    );
    expect(different.map(({ at, key }) => `${at}: ${key} | ${german[key]}`)).toEqual([]);
  });

  test('what a message leaves open is given where it is said', () => {
    const unlike = said.filter(
      ({ text, given }) => given !== null && String(given.toSorted()) !== String(namesIn(text)),
    );
    expect(unlike.map(({ at, text, given }) => `${at}: ${text} | ${given}`)).toEqual([]);
  });

  test('nothing is said while a source is loaded, when nobody knows the language yet', () => {
    expect(sources.flatMap(({ file, source }) => earlyMessagesIn(file, source))).toEqual([]);
  });
});

describe('what the service says of steps and of rules', () => {
  test('is in the catalog of it, and nothing else', () => {
    const texts = new Set<string>();
    const read = (what: unknown, names: readonly string[]) =>
      JSON.stringify(what, (name, value) => {
        if (typeof value === 'string' && names.includes(name)) texts.add(value);
        return value;
      });
    read(describeCatalogue(), ['title', 'help', 'description']);
    read([...RULES, ...OWNED], ['title', 'help', 'phrase', 'usageTitle', 'unit']);
    expect(Object.keys(SERVED)).toEqual([...texts].sort());
    expect(Object.values(SERVED)).not.toContain('');
  });

  test('is read in the language of the console, and what programs call things is not', () => {
    const answer = { types: describeCatalogue(), notes: ['note'] } as unknown as Parameters<
      typeof catalogueOf
    >[0];
    const english = catalogueOf(answer).types.get('crypto.price');
    speak('de', SERVED);
    const type = catalogueOf(answer).types.get('crypto.price');
    speak('en', {});
    expect(english).toEqual(describeCatalogue().find(({ type: name }) => name === 'crypto.price'));
    expect(type).toMatchObject({ type: 'crypto.price', title: 'Krypto-Preis' });
    expect(JSON.stringify(type)).toContain('Krypto-Symbol, wie der Handelsplatz es schreibt.');
    expect(type?.outputs.map(({ name }) => name)).toEqual(english?.outputs.map(({ name }) => name));
  });
});

describe('in another language', () => {
  afterEach(() => {
    speak('en', {});
    writeAs([]);
  });

  const COUNT = 'Stop {count, plural, one {# order} other {# orders}} of {name}';

  test('a message is said in it, with its own plural and the person’s numbers', () => {
    expect(t(COUNT, { count: 1, name: 'A' })).toBe('Stop 1 order of A');
    expect(t(COUNT, { count: 1_200, name: 'A' })).toBe('Stop 1,200 orders of A');
    speak('de', { [COUNT]: '{name}: {count, plural, one {# Order} other {# Orders}} stoppen' });
    writeAs(['de-DE']);
    expect(t(COUNT, { count: 1, name: 'A' })).toBe('A: 1 Order stoppen');
    expect(t(COUNT, { count: 1_200, name: 'A' })).toBe('A: 1.200 Orders stoppen');
  });

  test('a constant is said in the language of the moment, and what no catalog has in English', () => {
    const word = msg('Open');
    speak('de', { Open: 'Öffnen', 'Open (a state)': 'Offen' });
    expect(t(word)).toBe('Öffnen');
    expect(t('Open', undefined, 'a state')).toBe('Offen');
    expect(t('Close')).toBe('Close');
  });

  test('what a person wrote is shown as it is: it is no message, no place and no tag', () => {
    const hostile = '<b>{name}</b> \\u0041 # {count, plural, other {#}}';
    expect(t('Stop {name}', { name: hostile })).toBe(`Stop ${hostile}`);
    const parts = rich<string>('Type <b>{name}</b>', { name: hostile, b: (inside) => `[${inside}]` });
    expect(parts).toBe(`Type [${hostile}]`);
  });

  test('the language is the first of the browser’s that the console is written in, English where none is', () => {
    expect(languageAmong(['fr-CH', 'de-CH', 'en'])).toBe('de');
    expect(languageAmong(['en-GB', 'de'])).toBe('en');
    for (const none of [[], ['fr'], [''], ['constructor'], ['toString']])
      expect(languageAmong(none)).toBe('en');
  });
});

describe('what is read on a page', () => {
  test('is in the catalog: no text stands in a source as it is', () => {
    const bare = sources.flatMap(({ file, source }) => bareTextsIn(file, source));
    expect(bare).toEqual([]);
  });
});
