import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/language.ts';
import { OrderHistory, type OrderSearch } from '../../orders/history.tsx';

/** All orders of one blueprint, with the filters and sorting of Orders; the choice of a blueprint is left out. */
export function OrdersTab({ id }: { id: string }) {
  const [search, setSearch] = useState<OrderSearch>({});
  const navigate = useNavigate();
  return (
    <OrderHistory
      title={t('Orders of this strategy')}
      search={search}
      blueprintId={id}
      onSearch={(change) => setSearch((now) => ({ ...now, ...change }))}
      onOpen={(order) => void navigate({ to: '/orders', search: { blueprint: id, order } })}
    />
  );
}
