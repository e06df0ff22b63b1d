/**
 * Says that something which a request needs has no room or cannot be reached just now, so that the caller may try again in a moment. Each
 * reason is a class of its own; all of them become 503.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}
