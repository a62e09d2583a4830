import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Opens the dialog that the address asks for (`?do=new`), once: it is then removed from the address.
 *
 * @param isReady whether `act` knows the current state: until then the address is left as it is.
 */
export function useDialogFromAddress(word: string, act: () => void, isReady = true): void {
  const isRequested = useSearch({ strict: false, select: (search) => 'do' in search && search.do === word });
  const navigate = useNavigate();
  useEffect(() => {
    if (!isRequested || !isReady) return;
    act();
    void navigate({ to: '.', search: (search) => ({ ...search, do: undefined }), replace: true });
  }, [isRequested, isReady, act, navigate]);
}
