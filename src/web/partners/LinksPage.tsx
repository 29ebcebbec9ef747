import { Links } from './Links.tsx'
import { Part, PortalFrame } from './PortalFrame.tsx'
import { YourCodes } from './YourCodes.tsx'

/** `/partnership/links`: a partner's links and codes. */
export const LinksPage = () => (
  <PortalFrame title="Links and codes">
    {() => (
      <>
        <Part id="new-link" title="New link">
          <Links />
        </Part>
        <YourCodes />
      </>
    )}
  </PortalFrame>
)
