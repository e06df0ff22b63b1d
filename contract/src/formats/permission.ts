const lengthMax = 100
const parts = /^[A-Za-z0-9_.*-]+(?::[A-Za-z0-9_.*-]+)*$/

export const permissionRule =
  'must be a permission such as org:members:manage: parts joined by colons, 1 to 100 letters, digits, underscores, hyphens, dots or asterisks'

export const isPermission = (value: string): boolean => value.length <= lengthMax && parts.test(value)
