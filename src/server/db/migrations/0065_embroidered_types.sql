-- The first types said that embroidered pieces are printed. A fact that the owner has changed stays.
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Made to order, printed after you buy"', '"Made to order, stitched after you buy"')::jsonb
WHERE "decoration" = 'embroidery';
