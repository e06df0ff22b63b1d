// Node's HTTP module without what an `import` of it brings along: that reads every export, among them WebSocket and its
// events, and so loads the whole of Node's fetch: 14 MB and 30 ms at the start for nothing that is used here.
export const { STATUS_CODES, createServer, request: httpRequest } = process.getBuiltinModule('node:http')
