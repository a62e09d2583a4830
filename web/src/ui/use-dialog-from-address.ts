import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Opens the dialog that the address asks for (`?do=new`), once: it is then removed from the address. */
export function useDialogFromAddress(word: string, act: () => void): void {
  const isRequested = useSearch({ strict: false, select: (search) => 'do' in search && search.do === word });
  const navigate = useNavigate();
  useEffect(() => {
    if (!isRequested) return;
    act();
    void navigate({ to: '.', search: (search) => ({ ...search, do: undefined }), replace: true });
  }, [isRequested, act, navigate]);
}
