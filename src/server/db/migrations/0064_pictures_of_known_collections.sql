-- Rows name pictures that no longer exist: Sherlock and Pip have new ones, and the mark on shared ones has changed before.
UPDATE "collection" SET "content" = regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace("content"::text,
  '"hero\.sherlock\.[0-9a-f]{10}"', '"hero.sherlock.fbdd2efd4a"', 'g'),
  '"hero\.example\.[0-9a-f]{10}"', '"hero.example.d1ae9a2e7e"', 'g'),
  '"share\.rudy\.[0-9a-f]{10}"', '"share.rudy.34110b1447"', 'g'),
  '"share\.sherlock\.[0-9a-f]{10}"', '"share.sherlock.b6c79b462e"', 'g'),
  '"share\.example\.[0-9a-f]{10}"', '"share.example.49370392ab"', 'g')::jsonb
WHERE "id" IN ('rudy', 'sherlock', 'example');
