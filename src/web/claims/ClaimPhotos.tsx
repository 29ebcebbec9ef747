import { CLAIM_PHOTO_MAX_BYTES, CLAIM_PHOTOS_MAX } from '#domain/claims/claim.ts'
import type { OrderKey } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { upload } from '#web/api/upload.ts'
import { PhotoField, type Photo } from '#web/orders/PhotoField.tsx'
import { photoAddress, withKey } from './claim-queries.ts'

type Props = {
  orderKey: OrderKey
  photos: readonly Photo[]
  onPhotos: (change: (before: readonly Photo[]) => readonly Photo[]) => void
  /** Of a claim, which the printer may see. */
  isOfClaim?: boolean
}

/** Photos for a claim or a message about an order. */
export const ClaimPhotos = ({ orderKey, isOfClaim = true, ...field }: Props) => (
  <PhotoField
    {...field}
    max={CLAIM_PHOTOS_MAX}
    maxBytes={CLAIM_PHOTO_MAX_BYTES}
    hint={
      isOfClaim
        ? say(
            'Up to {max}, 20 MB each. They help most when they show the whole item and the problem. Only we, our printer and people with this link can see them.',
            { max: CLAIM_PHOTOS_MAX },
          )
        : say(
            'Up to {max}, 20 MB each. They help most when they show the whole item and the problem. Only we and people with this link can see them.',
            { max: CLAIM_PHOTOS_MAX },
          )
    }
    send={async (file) => {
      const { id } = await upload<{ id: string }>(withKey('/api/order/claim-photos', orderKey), file)
      return { file: id, src: photoAddress(id, orderKey) }
    }}
  />
)
