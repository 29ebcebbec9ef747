import { CLAIM_PHOTO_MAX_BYTES, CLAIM_PHOTOS_MAX } from '#domain/claims/claim.ts'
import type { OrderKey } from '#contract/orders.ts'
import { upload } from '#web/api/upload.ts'
import { PhotoField, type Photo } from '#web/orders/PhotoField.tsx'
import { photoAddress, withKey } from './claim-queries.ts'

type Props = {
  orderKey: OrderKey
  photos: readonly Photo[]
  onPhotos: (change: (before: readonly Photo[]) => readonly Photo[]) => void
  /** Besides us and people with the order's link. */
  seenBy?: string
}

/** Photos for a claim or a message about an order. */
export const ClaimPhotos = ({ orderKey, seenBy = ', our printer', ...field }: Props) => (
  <PhotoField
    {...field}
    max={CLAIM_PHOTOS_MAX}
    maxBytes={CLAIM_PHOTO_MAX_BYTES}
    hint={`Up to ${CLAIM_PHOTOS_MAX}, 20 MB each. They help most when they show the whole item and the problem. Only we${seenBy} and people with this link can see them.`}
    send={async (file) => {
      const { id } = await upload<{ id: string }>(withKey('/api/order/claim-photos', orderKey), file)
      return { file: id, src: photoAddress(id, orderKey) }
    }}
  />
)
