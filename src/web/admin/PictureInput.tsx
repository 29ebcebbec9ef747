import { useState } from 'react'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { PictureUpload } from './PictureUpload.tsx'

export const toCollectionPicture = ({ file, widths, width, height, alt }: StoredPicture): CollectionPicture => ({
  ...{ file, width, height, alt },
  widths: [...widths],
})

export const SmallPicture = ({ picture }: { picture: CollectionPicture }) => (
  <img
    src={toPicture(picture).src}
    alt={picture.alt}
    width={192}
    className="h-auto w-48 rounded-card border border-line"
  />
)

type Props = { label: string; hint: string; name: string; value: unknown }

/** A large picture, uploaded with its description. The form saves it. */
export function PictureInput({ label, hint, name, value }: Props) {
  const [picture, setPicture] = useState(value as CollectionPicture)
  return (
    <div className="grid w-full gap-3">
      <input type="hidden" name={name} value={JSON.stringify(picture)} />
      <p className="font-medium">
        {label} <span className="font-normal text-ink-soft">{hint}</span>
      </p>
      <SmallPicture picture={picture} />
      <PictureUpload
        kind="hero"
        label={`Replace: ${label}`}
        onPicture={(stored) => setPicture(toCollectionPicture(stored))}
      />
      <p role="status" className="text-sm text-ink-soft">
        {JSON.stringify(picture) === JSON.stringify(value) ? '' : 'Ready. Save home page to show it to shoppers.'}
      </p>
    </div>
  )
}
