import { t } from '../../language/language.ts';
import { PAGE_SIZES, usePageSize, useTables } from '../../settings/tables.ts';

/** The number of rows per page of a table, stored in this browser. */
export function PageSize({ name }: { name: string }) {
  const size = usePageSize(name);
  const setPageSize = useTables((tables) => tables.setPageSize);
  return (
    <label className="row tight small dim">
      {t('Rows at once')}
      <select
        className="text-input choice-input"
        value={size}
        onChange={(event) => setPageSize(name, Number(event.currentTarget.value))}
      >
        {PAGE_SIZES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
