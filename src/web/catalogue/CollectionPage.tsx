export const CollectionPage = () => <h1 className="shell">CollectionPage</h1>
