// Loads Fastify's schema compilers with the first answer that needs them: see docs/decisions/0017-speed-tricks.md.
import type { FastifyServerOptions } from 'fastify'
import { loadLater } from './load-later.ts'

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type SerializerFactory = NonNullable<Compilers['buildSerializer']>

/** The serialiser that Fastify depends on, resolved from Fastify's location. */
const serializers = loadLater<() => SerializerFactory>(
  '@fastify/fast-json-stringify-compiler',
  import.meta.resolve('fastify'),
)

/** For Fastify's `schemaController.compilersFactory`, which would otherwise load a serialiser and a validator at the start. */
export const compileOnFirstUse: Compilers = {
  buildSerializer(...options) {
    let compile: ReturnType<SerializerFactory> | undefined
    return (route) => (compile ??= serializers()()(...options))(route)
  },
  buildValidator() {
    throw new Error('http/body/validate.ts validates, not Fastify')
  },
}
