// Loaded into a service whose memory is measured: collects garbage when it is told to, so that what is left is what the service holds.
// Needs --expose-gc.
type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void
const { gc } = globalThis as { readonly gc?: Collect }
// A usual collection leaves pages of the heap that are partly empty, up to 100 MB of them after a load.
const collect = () => gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

process.on('SIGUSR2', () => {
  // What finalisers let go of in the first run is freed by the second.
  collect()
  setImmediate(collect)
})
