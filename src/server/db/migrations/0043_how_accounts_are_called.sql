CREATE TABLE "bookkeeping" (
	"id" integer PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "bookkeeping_single" CHECK ("bookkeeping"."id" = 1)
);
