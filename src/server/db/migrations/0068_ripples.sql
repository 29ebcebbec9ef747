-- The crumbs of Pip's ground were never more than one: ripples instead, on a deeper green. What an owner has changed stays; the history
-- is corrected too, or the next change would seem to be this one.
UPDATE "collection" SET "content" = replace(replace("content"::text,
  'radial-gradient(circle at 6px 6px, rgb(217 106 82 / 0.12) 0 2px, transparent 2.5px)',
  'repeating-radial-gradient(circle at 6% 125%, rgb(255 250 243 / 0.05) 0 1.5px, transparent 2.5px 20px)'),
  '"#3b652a"', '"#34592b"')::jsonb
WHERE "id" = 'example';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace(replace("content"::text,
  'radial-gradient(circle at 6px 6px, rgb(217 106 82 / 0.12) 0 2px, transparent 2.5px)',
  'repeating-radial-gradient(circle at 6% 125%, rgb(255 250 243 / 0.05) 0 1.5px, transparent 2.5px 20px)'),
  '"#3b652a"', '"#34592b"')::jsonb
WHERE "kind" = 'collection' AND "key" = 'example';
