/** Where the data of a run is, and how much of it there is. */
export interface PeerPlace {
  readonly directory: string
  readonly compileCache: string
  /** How many users the lists are of. */
  readonly members: number
}
