// sharp as the workers use it. Only worker.ts leads here: the service itself never loads a decoder.
import sharp from 'sharp'

// A request's image is not met again in the same process, and each worker has a core's share of the machine.
sharp.cache(false)
sharp.concurrency(1)

// Only what is listed below may read bytes (libvips' class names); what exotic decoders accept is not theirs to decide.
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
