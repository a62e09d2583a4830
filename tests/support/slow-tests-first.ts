import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files begin in this order, then the others, the longest text first: the slowest must not begin last and alone. */
export const slowFirst = (...names: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => {
        const at = names.findIndex((name) => moduleId.includes(`/${name}.`));
        return at < 0 ? names.length : at;
      };
      return (await super.sort(files)).sort((one, other) => place(one) - place(other));
    }
  };
