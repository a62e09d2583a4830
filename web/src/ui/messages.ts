export { Notifications as Messages } from '@mantine/notifications';
