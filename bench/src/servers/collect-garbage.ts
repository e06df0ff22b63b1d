// Loaded into a service whose memory is measured: collects garbage when it is told to, so that what is left is what the service holds.
// Needs --expose-gc.
const collect = (globalThis as { gc?: () => void }).gc

process.on('SIGUSR2', () => {
  // What finalisers let go of in the first run is freed by the second.
  collect?.()
  setImmediate(() => collect?.())
})
