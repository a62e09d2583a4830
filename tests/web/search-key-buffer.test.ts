import { expect, test } from 'vitest';
import { SearchKeyBuffer } from '../../web/src/shell/search-key-buffer.ts';

/** A keyboard on a page: `reached` holds the keys that the page's own shortcuts and inputs received. */
function keyboard(typing: SearchKeyBuffer) {
  const reached: string[] = [];
  const press = (key: string, isInSearch = false, ctrlKey = false) => {
    let isStopped = false;
    const stop = () => {
      isStopped = true;
    };
    typing.take(
      { key, ctrlKey, metaKey: false, altKey: false, preventDefault: stop, stopImmediatePropagation: stop },
      isInSearch,
    );
    if (!isStopped) reached.push(key);
  };
  return { reached, press };
}

test('letters typed before the search is there are its words, and run as no shortcut', () => {
  const typing = new SearchKeyBuffer();
  const { reached, press } = keyboard(typing);
  typing.start();
  for (const key of ['a', 'p', 'x', 'Backspace', 'Enter', 'Shift']) press(key);
  let words = '';
  typing.deliverTo((text) => {
    words = text;
  });
  expect(words).toBe('ap');
  press('p');
  expect(words).toBe('app');
  press('r', true);
  press('t');
  expect(words).toBe('app');
  expect(reached).toEqual(['Shift', 'r', 't']);
});

test('opened again, the search starts without the words of before', () => {
  const typing = new SearchKeyBuffer();
  const { press } = keyboard(typing);
  let words = 'fed';
  typing.deliverTo((text) => {
    words = text;
  });
  typing.start();
  expect(words).toBe('');
  for (const key of 'stop') press(key);
  expect(words).toBe('stop');
});

test('a search that is given up holds no key: by Escape, closed, or never asked for', () => {
  const typing = new SearchKeyBuffer();
  const { reached, press } = keyboard(typing);
  press('t');
  typing.start();
  press('Escape');
  press('t');
  typing.start();
  typing.stop();
  press('t');
  typing.start();
  press('k', false, true);
  expect(reached).toEqual(['t', 'Escape', 't', 't', 'k']);
});
