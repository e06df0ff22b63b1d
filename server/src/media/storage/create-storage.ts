import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

/** Where uploads are collected until they are complete: this machine's disk, whatever the storage. */
export const stagingDirectory = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'media', 'incoming')

export const createStorage = (config: Config): Storage =>
  config.s3 === undefined ? createDiskStorage(join(config.dataDir, 'media', 'objects')) : createS3Storage(config.s3)
