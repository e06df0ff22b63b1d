import { type OutputFormat, type ResizeMode, WriteTransformation } from '@bailiwick/contract'
import { fieldsOf } from '../../platform/db/accepted.ts'
import { integer, json, many, real, record, text } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TransformationId } from '../../platform/ids.ts'

export const transformations = table(
  'transformations',
  {
    ...record<TransformationId>(),
    name: text(),
    description: text().nullable(),
    output_format: text<OutputFormat>(),
    ...many(real(), 'output_quality', 'output_compression', 'output_width', 'output_height'),
    output_resize_mode: text<ResizeMode>(),
    steps: json<WriteTransformation['steps']>(),
    version: integer().default(1),
  },
  {
    refusals: { transformations_name_key: 'transformation_name_taken' },
    counted: [{ counter: 'transformations' }],
    accepts: fieldsOf(WriteTransformation),
  },
)
