import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    productDraft: {
      content: 'kept: about a product',
      refusal: 'kept: about a product',
      batch: 'kept: about a product',
      copyPlan: 'kept: about a product',
      mockups: 'kept: about a product',
      remark: 'kept: about a product',
      updatedBy: 'kept: of an owner, who is not erased',
    },
    printerProduct: 'about nobody: the printer’s products',
  } satisfies Fates<typeof schema>,
}
