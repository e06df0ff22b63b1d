/** So many entries at most, as options of an lru-cache: room for them is made as they come, where `max` makes all of it at once. */
export const entriesAtMost = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
