import { Button } from '@mantine/core';
import { t } from '../../language/language.ts';

/** Says which part of a panel is missing because it could not be read, with a retry. */
export const MissingPart = ({ words, retry }: { words: string; retry: () => void }) => (
  <div className="notice warn row apart" role="alert">
    <span>{words}</span>
    <Button variant="default" onClick={retry}>
      {t('Try again')}
    </Button>
  </div>
);
