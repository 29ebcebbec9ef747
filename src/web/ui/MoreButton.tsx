import { Button } from './Button.tsx'

type Props = {
  /** `useInfiniteQuery`'s. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  children: string
}

/** Loads the next page below a list; gone after the last one. */
export const MoreButton = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: Props) =>
  hasNextPage && (
    <Button variant="outline" className="mt-6" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {children}
    </Button>
  )
