-- The first types said that embroidered pieces are printed. A fact that the owner has changed stays; the history is corrected too, or
-- the next change would seem to be this one.
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Made to order, printed after you buy"', '"Made to order, stitched after you buy"')::jsonb
WHERE "decoration" = 'embroidery';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace("content"::text, '"Made to order, printed after you buy"', '"Made to order, stitched after you buy"')::jsonb
WHERE "kind" = 'product_type' AND "content"->>'decoration' = 'embroidery';
