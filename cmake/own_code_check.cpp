// SPDX-License-Identifier: Apache-2.0
// A plugin of clang-tidy 14: its one check finds nothing and keeps the others out of system
// headers. Their findings there are thrown away, but looking for them takes two thirds of the time.
// Loaded by cached_clang_tidy.sh.
#include <vector>

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>

namespace {

using clang::ast_matchers::MatchFinder;

class OwnCodeCheck final : public clang::tidy::ClangTidyCheck {
  public:
    using ClangTidyCheck::ClangTidyCheck;

    void registerMatchers(MatchFinder* finder) override {
        finder->addMatcher(clang::ast_matchers::translationUnitDecl().bind("unit"), this);
    }

    // Called for the root of the tree, before its declarations are visited.
    void check(const MatchFinder::MatchResult& result) override {
        std::vector<clang::Decl*> own;
        for (clang::Decl* declaration :
             result.Nodes.getNodeAs<clang::TranslationUnitDecl>("unit")->decls())
            if (!result.SourceManager->isInSystemHeader(declaration->getLocation()))
                own.push_back(declaration);
        result.Context->setTraversalScope(own);
    }
};

class OwnCodeModule final : public clang::tidy::ClangTidyModule {
  public:
    void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
        factories.registerCheck<OwnCodeCheck>("n6vp-own-code");
    }
};

const clang::tidy::ClangTidyModuleRegistry::Add<OwnCodeModule> kModule("n6vp",
                                                                       "scope of the other checks");

}  // namespace
