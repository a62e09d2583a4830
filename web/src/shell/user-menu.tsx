import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CircleUser, Moon, Sun } from 'lucide-react';
import { sessionQuery, signOut } from '../api/session.ts';
import { msg, t } from '../language/language.ts';

/** The manuals, served by the service itself. */
const GUIDES = [
  { href: '/docs/guides/strategies', words: msg('How strategies work') },
  { href: '/docs', words: msg('API and guides') },
  { href: '/docs/guides/changelog', words: msg('What has changed') },
] as const;

/** Loads on first use, already open. */
export function UserMenu({ openHelp }: { openHelp: () => void }) {
  const user = useQuery(sessionQuery).data;
  const navigate = useNavigate();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const endSession = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={210} defaultOpened>
      <Menu.Target>
        <ActionIcon aria-label={t('You and settings')}>
          <CircleUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.email ?? t('Signed out')}</Menu.Label>
        <Menu.Item component={Link} to="/settings/account">
          {t('Your account')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings">
          {t('Settings')}
        </Menu.Item>
        <Menu.Item
          leftSection={colorScheme === 'light' ? <Moon size={14} /> : <Sun size={14} />}
          onClick={toggleColorScheme}
        >
          {t('Switch light and dark')}
        </Menu.Item>
        <Menu.Item onClick={openHelp}>{t('Keyboard shortcuts')}</Menu.Item>
        <Menu.Divider />
        {GUIDES.map(({ href, words }) => (
          <Menu.Item key={href} component="a" href={href} target="_blank" rel="noreferrer">
            {t(words)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void endSession()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
