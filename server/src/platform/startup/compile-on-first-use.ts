// What Fastify compiles schemas with, loaded by the first answer that needs it: see docs/decisions/0017-speed-tricks.md.
import type { FastifyServerOptions } from 'fastify'
import { loadLater } from './load-later.ts'

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type SerializerFactory = NonNullable<Compilers['buildSerializer']>

/** The serialiser that Fastify brings, from where Fastify finds it. */
const serializers = loadLater<() => SerializerFactory>(
  '@fastify/fast-json-stringify-compiler',
  import.meta.resolve('fastify'),
)

/** For `schemaController.compilersFactory` of Fastify, which would load a serialiser and a validator at the start. */
export const compileOnFirstUse: Compilers = {
  buildSerializer(...options) {
    let compile: ReturnType<SerializerFactory> | undefined
    return (route) => (compile ??= serializers()()(...options))(route)
  },
  buildValidator() {
    throw new Error('http/validate.ts validates, not Fastify')
  },
}
