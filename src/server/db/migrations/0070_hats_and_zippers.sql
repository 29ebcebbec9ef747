-- The first types said of hats what their pictures don't show, and of pillows a British word. A fact that the owner has changed stays;
-- the history is corrected too, or the next change would seem to be this one.
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Washed cotton twill, unstructured"', '"Cotton chino twill, six panels"')::jsonb
WHERE "key" = 'hat';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace("content"::text, '"Washed cotton twill, unstructured"', '"Cotton chino twill, six panels"')::jsonb
WHERE "kind" = 'product_type' AND "key" = 'hat';--> statement-breakpoint
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Polyester, printed on both sides, hidden zip"', '"Polyester, printed on both sides, hidden zipper"')::jsonb
WHERE "key" = 'pillow';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace("content"::text, '"Polyester, printed on both sides, hidden zip"', '"Polyester, printed on both sides, hidden zipper"')::jsonb
WHERE "kind" = 'product_type' AND "key" = 'pillow';
