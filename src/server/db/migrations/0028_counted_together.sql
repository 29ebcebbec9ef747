CREATE UNLOGGED TABLE "tally" (
	"name" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "tally_until_index" ON "tally" USING btree ("until");