import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Opens the dialog that the address asks for (`?do=new`), once: it is then removed from the address. */
export function useAsked(word: string, act: () => void): void {
  const asked = useSearch({ strict: false, select: (search) => 'do' in search && search.do === word });
  const navigate = useNavigate();
  useEffect(() => {
    if (!asked) return;
    act();
    void navigate({ to: '.', search: (search) => ({ ...search, do: undefined }), replace: true });
  }, [asked, act, navigate]);
}
