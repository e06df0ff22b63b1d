// Loads Node's HTTP module without reading all its exports, as an `import` does. Those include WebSocket, which loads the whole of Node's
// fetch: 14 MB and 30 ms at the start for code that is not used here.
export const {
  Agent: HttpAgent,
  STATUS_CODES,
  createServer,
  request: httpRequest,
} = process.getBuiltinModule('node:http')
