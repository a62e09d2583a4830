/** The declarations of @trpc/server name those of a package that a caller does not have. */
declare module 'ws' {
  namespace ws {
    class WebSocket {}
    class WebSocketServer {}
  }
  export default ws;
}
