import { expect, test } from 'vitest';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { t } from '../../web/src/language/language.ts';
import { SCOPE_MATRIX, SCOPE_PRESETS } from '../../web/src/pages/keys/scopes.ts';

test('every scope a key can hold is in the dialog of a new key, once, and “Everything” is all of them', () => {
  const listed = SCOPE_MATRIX.flatMap(({ read, write, deploy }) =>
    [read, write, deploy].filter((scope) => scope),
  );
  expect(listed.toSorted()).toEqual(SCOPE_NAMES.toSorted());
  expect(SCOPE_PRESETS.find(({ name }) => t(name) === 'Everything')?.scopes.toSorted()).toEqual(
    SCOPE_NAMES.toSorted(),
  );
});
