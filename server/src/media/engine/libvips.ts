// sharp as the workers use it. Only worker.ts imports this: the service itself never loads a decoder.
import sharp from 'sharp'

// No image is processed twice in the same process, so there is no cache, and each worker has one core's share of the machine.
sharp.cache(false)
sharp.concurrency(1)

// Only the listed loaders (libvips' class names) may read bytes; all other decoders are blocked.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
})

export { sharp }
