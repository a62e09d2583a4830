import { Notifications } from '@mantine/notifications';

/** At most four notifications at a time; the others wait. */
export const NotificationList = () => <Notifications position="bottom-right" limit={4} />;
