import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    productDraft: {
      content: 'kept: about a product',
      refusal: 'kept: about a product',
      batch: 'kept: about a product',
      updatedBy: 'kept: of an owner, who is not erased',
    },
  } satisfies Fates<typeof schema>,
}
