import type { CollectionInput } from '#contract/admin-collections.ts'
import { Button } from '#web/ui/Button.tsx'
import type { Update } from './CollectionEditor.tsx'
import { SmallPicture, toCollectionPicture } from './PictureInput.tsx'
import { PictureUpload } from './PictureUpload.tsx'

const places = [
  { name: 'hero', label: 'Large picture', hint: 'On the home page. Wide, at least 1600 pixels.' },
  { name: 'intro', label: 'Picture beside the title', hint: 'On its own page.' },
  { name: 'share', label: 'Picture of shared links', hint: '1200 × 630 pixels.' },
] as const

export const CollectionPictures = ({ collection, update }: { collection: CollectionInput; update: Update }) => (
  <fieldset className="grid gap-6">
    <legend className="mb-4 text-[1.375rem] font-semibold">Pictures</legend>
    {places.map(({ name, label, hint }) => {
      const picture = collection[name]
      return (
        <div key={name} className="grid gap-3">
          <p className="font-medium">
            {label} <span className="font-normal text-ink-soft">{hint}</span>
          </p>
          {picture ? (
            <div className="flex flex-wrap items-center gap-4">
              <SmallPicture picture={picture} />
              <Button variant="plain" onClick={() => update({ [name]: null })} aria-label={`Remove: ${label}`}>
                Remove
              </Button>
            </div>
          ) : (
            <PictureUpload
              kind="hero"
              label={`Add: ${label}`}
              onPicture={(stored) => update({ [name]: toCollectionPicture(stored) })}
            />
          )}
        </div>
      )
    })}
  </fieldset>
)
