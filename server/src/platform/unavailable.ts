/**
 * Says that something a request needs has no room or cannot be reached at the moment, so that the caller may retry soon. Each reason has a
 * class of its own; all of them become 503.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}
