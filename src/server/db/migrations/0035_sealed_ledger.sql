CREATE TABLE "ledger_seal" (
	"number" integer PRIMARY KEY NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"root" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sealed_posting" (
	"posting_id" bigint PRIMARY KEY NOT NULL,
	"seal" integer NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "sealed_posting_place" UNIQUE("seal","position")
);
--> statement-breakpoint
ALTER TABLE "sealed_posting" ADD CONSTRAINT "sealed_posting_posting_id_ledger_posting_id_fk" FOREIGN KEY ("posting_id") REFERENCES "public"."ledger_posting"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sealed_posting" ADD CONSTRAINT "sealed_posting_seal_ledger_seal_number_fk" FOREIGN KEY ("seal") REFERENCES "public"."ledger_seal"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER ledger_seal_append_only BEFORE UPDATE OR DELETE ON ledger_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER sealed_posting_append_only BEFORE UPDATE OR DELETE ON sealed_posting
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE VIEW audit_seals AS
  SELECT s.number, s.sealed_at, s.hash, count(p.posting_id) AS postings
  FROM ledger_seal s LEFT JOIN sealed_posting p ON p.seal = s.number GROUP BY s.number;
