import type { CollectionView } from '#contract/collections.ts'
import { Icon } from '#web/ui/Icon.tsx'

type Props = Pick<CollectionView, 'description' | 'channelName' | 'channelUrl' | 'socialHashtag'>

/** What a collection is, and where its animal is seen: in the head, on phones and tablets after the goods. */
export const CollectionWords = ({ description, channelName, channelUrl, socialHashtag }: Props) => (
  <>
    <p>{description}</p>
    <p className="flex flex-wrap items-center gap-x-6">
      {channelUrl && (
        <a
          href={channelUrl}
          rel="noopener"
          className="link-line inline-flex min-h-11 items-center gap-1.5 font-semibold"
        >
          {channelName}
          <Icon name="out" className="size-4" />
        </a>
      )}
      <span>{socialHashtag}</span>
    </p>
  </>
)
